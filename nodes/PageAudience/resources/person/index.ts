import type { Resource } from '../../operation/operation';
import { create } from './create.operation';
import { createOrGet } from './createOrGet.operation';
import { getAll } from './getAll.operation';
import { search } from './search.operation';

export const person: Resource = {
	option: { name: 'Person', value: 'person' },
	operations: [create, createOrGet, getAll, search],
};
