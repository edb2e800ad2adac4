import type { Resource } from '../../operation/operation';
import { archive } from './archive.operation';
import { getAll } from './getAll.operation';
import { getVersions } from './getVersions.operation';
import { restore } from './restore.operation';
import { update } from './update.operation';

export const audience: Resource = {
	option: { name: 'Audience', value: 'audience' },
	operations: [archive, getAll, getVersions, restore, update],
};
