import { Child } from '../../bench/child.mts';
import type { Pace } from '../pace.mts';
import type { Polling, PollSample } from '../polling.mts';
import type { Outcome, Strand } from './strand.mts';

/** So many polls are asked for at a time. */
const batch = 20;

/** Polls in n8n's engine, in a process of their own, whose clock runs as fast as they do. */
export function polls(
	pace: Pace,
	count: number,
	sessions: number,
	seed: number,
): Strand & { samples: PollSample[] } {
	const samples: PollSample[] = [];
	let outcome: Outcome | undefined;
	let done = 0;
	const progress = (): number => done / count;
	return {
		samples,
		progress,
		async run() {
			const child = new Child<Polling>('../soak/polling.mts');
			try {
				await child.ask('begin', count, sessions, seed);
				while (done < count) {
					await pace.keep({ progress });
					const some = Math.min(batch, count - done);
					samples.push(await child.ask('poll', some));
					done += some;
				}
				outcome = await child.ask('end');
			} finally {
				child.stop();
			}
		},
		judge: () => outcome ?? { counts: {}, violations: ['the polls did not end'], times: [] },
	};
}
