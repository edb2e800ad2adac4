/** A contact from a CRM. Each has its own identity, so no request waits for another. */
export type Contact = Record<'id' | 'name' | 'email' | 'company' | 'stage' | 'owner', string>;

/** @param people how many different people they are */
export function makeContacts(count: number, people = count): Contact[] {
	return Array.from({ length: count }, (_, index) => {
		const number = String(index + 1).padStart(5, '0');
		const person = String((index % people) + 1).padStart(5, '0');
		return {
			id: `crm-${number}`,
			name: `Contact ${person}`,
			email: `contact.${person}@crm.example`,
			company: `Company ${index % 97}`,
			stage: index % 3 === 0 ? 'customer' : 'lead',
			owner: `Owner ${index % 7}`,
		};
	});
}
