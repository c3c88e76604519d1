const (
	RegionEUNorth2 = "eu-north-2"
	RegionAFSouth1 = "af-south-1"

	eksResourceAccountStandard = "602401143452"
	eksResourceAccountEUNorth2 = "012345678901"
	eksResourceAccountAFSouth1 = "877085696533"
)

func EKSResourceAccountID(region string) string {
	switch region {
	case RegionEUNorth2:
		return eksResourceAccountEUNorth2
	case RegionAFSouth1:
		return eksResourceAccountAFSouth1
	default:
		return eksResourceAccountStandard
	}
}
