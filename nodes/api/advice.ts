/** Something to change in the options of a node. Not every node has both options, so each node words its own. */
export type OptionAdvice = 'send slower' | 'wait longer';

export const retryLater = 'Retry later.';

/** A sentence, or the place of one that a node words. */
export type Sentence = string | { retryLaterOr: OptionAdvice };

/** @param words for the options that a node has, e.g. "increase Options > Timeout" */
export function writeSentences(
	sentences: Sentence[],
	words: Partial<Record<OptionAdvice, string>>,
): string {
	const texts = sentences.map((sentence) => {
		if (typeof sentence === 'string') return sentence;
		const advice = words[sentence.retryLaterOr];
		return advice === undefined ? retryLater : `Retry later, or ${advice}.`;
	});
	return texts.join(' ');
}
