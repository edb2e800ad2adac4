/** RFC 2606 reserves these names for examples. The seed uses them, and some of them belong to real servers. */
export const isReservedHost = (hostname: string): boolean =>
	/(^|\.)(example(\.(com|net|org))?|invalid|test)$/.test(hostname);
