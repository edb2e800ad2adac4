/** What to do depends on the node that failed: not every node has options or items. */
export type NodeAdvice = 'send slower' | 'wait longer' | 'check values';

export const retryLater = 'Retry later.';

/** A sentence, or the place of one that a node words. */
export type Sentence = string | { advice: NodeAdvice };

/** For a node without options and items. */
const plainWords: Record<NodeAdvice, string> = {
	'send slower': retryLater,
	'wait longer': retryLater,
	'check values': 'Check the settings of this node.',
};

/** @param words for the node that failed */
export function writeSentences(
	sentences: Sentence[],
	words: Record<NodeAdvice, string> = plainWords,
): string {
	return sentences
		.map((sentence) => (typeof sentence === 'string' ? sentence : words[sentence.advice]))
		.join(' ');
}
