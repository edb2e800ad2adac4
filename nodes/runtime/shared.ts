/** Work whose result several share. If it fails, the next one who asks begins it anew. */
export class Shared<T> {
	private current?: Promise<T>;

	private readonly work: () => Promise<T>;

	constructor(work: () => Promise<T>) {
		this.work = work;
	}

	async get(): Promise<T> {
		const running = (this.current ??= this.work());
		return await running.catch((error: unknown) => {
			if (this.current === running) this.current = undefined;
			throw error;
		});
	}

	/** Begins it once more, when what is under way has ended. All who ask for that meanwhile share the next result. */
	async renew(): Promise<T> {
		const earlier = this.current;
		await earlier?.catch(() => undefined);
		if (this.current === earlier) this.current = undefined;
		return await this.get();
	}
}
