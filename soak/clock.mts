// Loaded before n8n's engine, which keeps what it finds.
const { now } = performance;
const RealDate = Date;
let aheadMs = 0;

globalThis.Date = class extends RealDate {
	constructor(...given: [] | [string | number | Date]) {
		super(given.length === 0 ? RealDate.now() + aheadMs : given[0]);
	}

	static override now(): number {
		return RealDate.now() + aheadMs;
	}
} as DateConstructor;
performance.now = () => now.call(performance) + aheadMs;

/** Moves this process's clock ahead. Timers keep to real time. */
export function skip(ms: number): void {
	aheadMs += ms;
}
