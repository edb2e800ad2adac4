interface Person {
	personId?: string;
	email?: string;
	phoneNumber?: string;
	linkedinProfileUrl?: string;
}

/**
 * What may identify a person in the service, normalized so that different spellings are equal.
 * It only keeps the entries of one person in order: what is sent is unchanged.
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
