interface Person {
	personId?: string;
	email?: string;
	phoneNumber?: string;
	linkedinProfileUrl?: string;
}

/**
 * What the service may know a person by, in a form in which two spellings of the same are equal.
 * Only for keeping entries of one person in order; what is sent is what was given.
 */
export function listIdentities({
	personId,
	email,
	phoneNumber,
	linkedinProfileUrl,
}: Person): string[] {
	return [
		personId && `person ${personId}`,
		email && `email ${email.toLowerCase()}`,
		phoneNumber && `phone ${phoneNumber.replace(/[^\d+]/g, '') || phoneNumber}`,
		linkedinProfileUrl &&
			`linkedin ${linkedinProfileUrl.toLowerCase().replace(/^https?:\/\/(www\.)?|[?#].*$|\/+$/g, '')}`,
	].filter((identity): identity is string => Boolean(identity));
}
