import { formComponentContext, notHappened } from '../guesses.mts';
import type { AudienceSession, Page, SessionInteraction } from '../records/index.mts';
import { slugify } from '../slug.mts';
import type { Store } from '../store/store.mts';
import { momentAfter } from './calendar.mts';
import { questions } from './words.mts';

const campaigns = [
	{
		utmCampaign: 'spring-launch',
		utmContent: 'hero',
		utmMedium: 'email',
		utmSource: 'newsletter',
		utmTerm: '',
	},
	{
		utmCampaign: 'brand',
		utmContent: 'ad-b',
		utmMedium: 'cpc',
		utmSource: 'google',
		utmTerm: 'page builder',
	},
	{
		utmCampaign: 'outreach',
		utmContent: 'card',
		utmMedium: 'social',
		utmSource: 'linkedin',
		utmTerm: '',
	},
	{ utmCampaign: '', utmContent: '', utmMedium: '', utmSource: '', utmTerm: '' },
];

/** The next visit to a page: one in six submits the form, one in four leaves at once. */
function makeSession(
	{ sessions, audiences, persons, randomness }: Store,
	{ pageId, name, title }: Page,
): AudienceSession {
	const number = sessions.of(pageId).length;
	const variants = audiences.of(pageId);
	const isBounce = number % 4 === 3;
	const hasFormSubmit = number % 6 === 2;
	const person = hasFormSubmit ? randomness.pick(persons.all()) : null;
	const timeSpentSeconds = isBounce ? randomness.between(1, 9) : randomness.between(20, 900);
	const startMinute = 80_000 + number * 47;
	return {
		audienceSessionId: randomness.id('audsession'),
		analyticsSessionId: randomness.id('anasession'),
		audienceId: variants.length > 0 ? variants[number % variants.length].audienceId : notHappened,
		pageId,
		pageTitle: title,
		pageUrl: `https://pages.northwind.example/${slugify(name)}`,
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
		...campaigns[number % campaigns.length],
	};
}

/** What a visitor did: clicks, and now and then a question in the chat. */
function makeInteraction(
	{ randomness }: Store,
	session: AudienceSession,
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
		timestamp: Date.parse(session.sessionStartedAt) + number * 4000,
	};
}

/** What a visitor left in a form, in the order of its fields. */
function makeAnswers(session: AudienceSession, count: number): SessionInteraction[] {
	const { formSubmissionEmail, formSubmissionPhone, sessionEndedAt } = session;
	const message = questions[count % questions.length];
	return Object.entries({
		Email: formSubmissionEmail,
		Phone: formSubmissionPhone,
		Message: message,
	})
		.filter(([, responseText]) => responseText)
		.map(([label, responseText]) => ({
			componentContext: formComponentContext,
			componentId: `contact-form-${label.toLowerCase()}`,
			groundingChunkIds: [],
			label,
			options: [],
			responseText,
			timestamp: Date.parse(sessionEndedAt),
		}));
}

/** Adds the next visit to a page, with its interactions. */
export function addSession(
	store: Store,
	page: Page,
	changes: Partial<AudienceSession> = {},
): AudienceSession {
	const session = store.sessions.add({ ...makeSession(store, page), ...changes });
	const { audienceSessionId, isBounce } = session;
	const count = isBounce ? 0 : store.randomness.between(1, 6);
	for (let number = 0; number < count; number++) {
		const interaction = makeInteraction(store, session, number);
		store.interactions.add({ audienceSessionId, interaction });
	}
	if (session.hasFormSubmit)
		for (const interaction of makeAnswers(session, count))
			store.interactions.add({ audienceSessionId, interaction });
	return session;
}
