/**
 * A map that lives as long as the process, and so has to forget: beyond `most` entries, it deletes the entry that was
 * set longest ago.
 */
export class RecentMap<K, V> extends Map<K, V> {
	private readonly most: number;

	constructor(most: number) {
		super();
		this.most = most;
	}

	override set(key: K, value: V): this {
		this.delete(key);
		super.set(key, value);
		if (this.size > this.most) {
			const [oldest] = this.keys();
			if (oldest !== undefined) this.delete(oldest);
		}
		return this;
	}
}
