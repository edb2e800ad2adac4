import type { Logger } from 'n8n-workflow';
import { writeCount } from './messages';

/** n8n shows nothing of a node that is under way. */
const intervalMs = 60_000;

/** Says once a minute in n8n's log how far a long run is. */
export class Progress {
	private readonly logger: Pick<Logger, 'info'>;

	private readonly name: string;

	private readonly total: number;

	private readonly startedAt = Date.now();

	private toldAt = this.startedAt;

	private done = 0;

	/**
	 * @param name of the node
	 * @param total number of items
	 */
	constructor(logger: Pick<Logger, 'info'>, name: string, total: number) {
		this.logger = logger;
		this.name = name;
		this.total = total;
	}

	/** An item has succeeded or failed. */
	noteItem(): void {
		this.done++;
	}

	/** @param heldBackMs how long rate limits have held the run back */
	tell(heldBackMs: number): void {
		const now = Date.now();
		if (now - this.toldAt < intervalMs) return;
		this.toldAt = now;
		const minutes = Math.floor((now - this.startedAt) / 60_000);
		const seconds = Math.round(heldBackMs / 1000);
		const waited = seconds > 0 ? `, ${seconds} s of it waiting for the rate limit` : '';
		this.logger.info(
			`${this.name}: ${writeCount(this.done)} of ${writeCount(this.total)} items done after ${minutes} min${waited}`,
		);
	}
}
