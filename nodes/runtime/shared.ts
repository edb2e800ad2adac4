/** Work whose result several share. If it fails, the next one who asks begins it anew. */
export function share<T>(work: () => Promise<T>) {
	let current: Promise<T> | undefined;
	const get = async (): Promise<T> => {
		const running = (current ??= work());
		return await running.catch((error: unknown) => {
			if (current === running) current = undefined;
			throw error;
		});
	};
	/** Begins it once more, when what is under way has ended. All who ask for that meanwhile share the next result. */
	const renew = async (): Promise<T> => {
		const earlier = current;
		await earlier?.catch(() => undefined);
		if (current === earlier) current = undefined;
		return await get();
	};
	return { get, renew };
}
