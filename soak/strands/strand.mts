/** What a strand of work did, and what was wrong with it. */
export type Outcome = {
	/** For the table: what was done, and how often. */
	counts: Record<string, number>;
	/** What must not happen. */
	violations: string[];
	/** Milliseconds that one unit of work took, in order. */
	times: number[];
};

/** Work that goes on beside others. */
export type Strand = {
	/** From 0 to 1. */
	progress(): number;
	run(): Promise<void>;
	/** Called when everything is over. */
	judge(): Promise<Outcome> | Outcome;
};
