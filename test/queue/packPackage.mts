import { packPackage } from '../../tools/package.mts';

/** Packs once for all files, which find the package in the environment. */
export default async function pack(): Promise<void> {
	process.env.N8N_FOR_TESTS_PACKAGE = (await packPackage()).tarball;
}
