import type { Store } from '../../sandbox/index.mts';
import { moveToRecentWeeks } from '../../tools/start/recent.mts';

/** Moves what visitors did into the past weeks. Those who left only a phone number get this email. */
export function completeSubmissions(store: Store, email: string): void {
	moveToRecentWeeks(store);
	for (const { pageId } of store.pages)
		for (const session of store.sessions.of(pageId))
			if (session.hasFormSubmit) session.formSubmissionEmail ||= email;
}
