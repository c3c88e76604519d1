// What AWS's own validator, @aws/cloudformation-validate, says of each template, a finding on each line:
// FILE:LINE:RULE:SEVERITY:ID: MESSAGE. Arguments: the package's folder, then the templates.
const [folder, ...templates] = process.argv.slice(2);
const { CelEngine, TemplateFile } = require(require("path").resolve(folder));

const engine = new CelEngine();
for (const template of templates) {
    const report = engine.validateStandard(new TemplateFile(template));
    if (report.status !== "OK") {
        console.log(`${template}:1:${report.status}:FATAL:: the validator did not come to an end`);
    }
    for (const found of report.diagnostics) {
        const id = found.entity?.logicalId ?? "";
        const message = found.message.replace(/\s+/g, " ");
        const line = found.startLine ?? 1;
        console.log(`${template}:${line}:${found.ruleId}:${found.severity}:${id}: ${message}`);
    }
}
engine.free();
