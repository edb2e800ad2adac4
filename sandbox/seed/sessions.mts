import { notHappened } from '../guesses.mts';
import type { AudienceSession, Page, SessionInteraction } from '../records.mts';
import type { Collections } from '../store/collections.mts';
import { momentAfter } from './calendar.mts';
import { urlOf } from './pages.mts';
import { questions } from './words.mts';

/** Content, medium, source and term of each campaign. */
const campaigns = [
	['spring-launch', 'hero', 'email', 'newsletter', ''],
	['brand', 'ad-b', 'cpc', 'google', 'page builder'],
	['outreach', 'card', 'social', 'linkedin', ''],
	['', '', '', '', ''],
];

/** The next visit to a page: one in six submits the form, one in four leaves at once. */
function makeSession(
	{ sessions, audiences, persons, randomness }: Collections,
	page: Page,
): AudienceSession {
	const number = sessions.of(page.pageId).length;
	const variants = audiences.of(page.pageId);
	const isBounce = number % 4 === 3;
	const hasFormSubmit = number % 6 === 2;
	const person = hasFormSubmit ? randomness.pick(persons.all()) : null;
	const timeSpentSeconds = isBounce ? randomness.between(1, 9) : randomness.between(20, 900);
	const startMinute = 80_000 + number * 47;
	const [utmCampaign, utmContent, utmMedium, utmSource, utmTerm] =
		campaigns[number % campaigns.length];
	return {
		audienceSessionId: randomness.id('audsession'),
		analyticsSessionId: randomness.id('anasession'),
		audienceId: variants.length > 0 ? variants[number % variants.length].audienceId : notHappened,
		pageId: page.pageId,
		pageTitle: page.title,
		pageUrl: urlOf(page),
		computationStatus: number % 10 === 9 ? 'pending' : 'completed',
		formSubmissionId: hasFormSubmit ? randomness.id('submission') : notHappened,
		formSubmissionEmail: person?.email ?? notHappened,
		formSubmissionPhone: person?.phoneNumber ?? notHappened,
		formSubmissionIdentifier: person?.email ?? person?.phoneNumber ?? notHappened,
		formSubmissionIdentifierType: person ? (person.email ? 'email' : 'phone') : notHappened,
		hasConversion: hasFormSubmit || number % 9 === 1,
		hasFormSubmit,
		isBounce,
		maxScrollDepthPercentage: isBounce ? randomness.between(2, 20) : randomness.between(30, 100),
		questionsAskedCount: isBounce ? 0 : randomness.between(0, 4),
		totalClicksCount: isBounce ? 0 : randomness.between(1, 14),
		timeSpentSeconds,
		sessionStartedAt: momentAfter(startMinute),
		sessionEndedAt: momentAfter(startMinute + timeSpentSeconds / 60),
		utmCampaign,
		utmContent,
		utmMedium,
		utmSource,
		utmTerm,
	};
}

/** What a visitor did: clicks, and now and then a question in the chat. */
function makeInteraction(
	{ randomness }: Collections,
	{ sessionStartedAt }: AudienceSession,
	number: number,
): SessionInteraction {
	const isQuestion = number % 3 === 2;
	return {
		componentContext: isQuestion ? 'chat' : 'hero',
		componentId: isQuestion ? 'ask-anything' : `button-${number + 1}`,
		groundingChunkIds: isQuestion ? [randomness.id('chunk'), randomness.id('chunk')] : [],
		label: isQuestion ? randomness.pick(questions) : 'Book a demo',
		options: isQuestion ? ['Yes, tell me more', 'No, thanks'] : [],
		responseText: isQuestion
			? 'Yes. Setup takes about a day, and your data stays where it is.'
			: '',
		timestamp: Date.parse(sessionStartedAt) + number * 4000,
	};
}

/** What a visitor left in a form. */
const makeAnswer = (label: string, responseText: string, moment: string): SessionInteraction => ({
	componentContext: 'form',
	componentId: `contact-form-${label.toLowerCase()}`,
	groundingChunkIds: [],
	label,
	options: [],
	responseText,
	timestamp: Date.parse(moment),
});

/**
 * Adds the next visit to a page, with its interactions.
 * @param answers what was typed into the form, by the labels of its fields. Empty fields are left out.
 */
export function addSession(
	store: Collections,
	page: Page,
	changes: Partial<AudienceSession> = {},
	answers?: Record<string, string | undefined>,
): AudienceSession {
	const session = store.sessions.add({ ...makeSession(store, page), ...changes });
	const { audienceSessionId, isBounce, sessionEndedAt } = session;
	const add = (interaction: SessionInteraction) =>
		store.interactions.add({ audienceSessionId, interaction });
	const count = isBounce ? 0 : store.randomness.between(1, 6);
	for (let number = 0; number < count; number++) add(makeInteraction(store, session, number));
	if (!session.hasFormSubmit) return session;
	const example = {
		Email: session.formSubmissionEmail,
		Phone: session.formSubmissionPhone,
		Message: questions[count % questions.length],
	};
	for (const [label, text] of Object.entries(answers ?? example)) {
		if (text) add(makeAnswer(label, text, sessionEndedAt));
	}
	return session;
}
