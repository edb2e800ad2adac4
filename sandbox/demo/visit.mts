const campaignMembers = ['utmCampaign', 'utmContent', 'utmMedium', 'utmSource', 'utmTerm'] as const;

/** The visitor's campaign and time of arrival. Hidden fields of the form carry it to the submission. */
export type Visit = Record<(typeof campaignMembers)[number], string> & { openedAtMs: number };

const parameterOf = (member: string): string => `utm_${member.slice(3).toLowerCase()}`;
const longestVisitMs = 24 * 60 * 60 * 1000;
const maximumLength = 200;

/** Visitors can send anything here. An impossible time becomes now, and long texts are cut. */
export function readVisit(parameters: URLSearchParams, nowMs = Date.now()): Visit {
	const openedAtMs = Number(parameters.get('opened') ?? NaN);
	const isPossible = openedAtMs <= nowMs && openedAtMs > nowMs - longestVisitMs;
	const campaign = campaignMembers.map((member) => [
		member,
		(parameters.get(parameterOf(member)) ?? '').slice(0, maximumLength),
	]);
	return { ...Object.fromEntries(campaign), openedAtMs: isPossible ? openedAtMs : nowMs };
}

/** Writes the hidden fields of the form. */
export const writeVisit = (visit: Visit): Record<string, string> => ({
	opened: String(visit.openedAtMs),
	...Object.fromEntries(
		campaignMembers
			.map((member) => [parameterOf(member), visit[member]])
			.filter(([, text]) => text),
	),
});
