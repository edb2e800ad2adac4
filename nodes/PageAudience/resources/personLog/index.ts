import type { Resource } from '../../operation/operation';
import { create } from './create.operation';

export const personLog: Resource = {
	option: { name: 'Person Log', value: 'personLog' },
	operations: [create],
};
