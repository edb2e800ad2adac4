import type { IdentityField } from '../../../nodes/PageAudience/resources/identity.ts';
import {
	listTexts,
	readPlainText,
} from '../../../nodes/PageAudience/resources/person/searchTexts.ts';

test.each<[field: IdentityField, value: string, texts: string[]]>([
	['email', 'ann@x.example', ['ann@x.example']],
	['email', ' Ann@X.example ', ['ann@x.example', 'Ann@X.example']],
	['email', 'ann\u00e9@x.example', ['ann\u00e9@x.example', 'anne\u0301@x.example']],
	['email', ' ', []],
	['linkedinProfileUrl', 'https://www.linkedin.com/in/ann/', ['ann']],
	['linkedinProfileUrl', 'linkedin.com/in/Ann?trk=x#about', ['ann', 'Ann']],
	['linkedinProfileUrl', 'linkedin.com/in/Ann//', ['ann', 'Ann']],
	['linkedinProfileUrl', 'linkedin.com/in/Ann#a/b\nc', ['ann', 'Ann']],
	['linkedinProfileUrl', 'linkedin.com/in/ann\u00e9', ['ann\u00e9', 'ann%C3%A9', 'anne\u0301']],
	['linkedinProfileUrl', 'https://www.linkedin.com/profile/view?trk=x&id=AAb', ['AAb']],
	['linkedinProfileUrl', '#ann', []],
	['phoneNumber', ' +49 30 1234567 ', ['+49 30 1234567', '49301234567']],
	['phoneNumber', '030 1234567 ext. 12', ['030 1234567 ext. 12', '0301234567']],
	['phoneNumber', '12345', ['12345']],
	['phoneNumber', ' ', []],
])('the %s %j is searched for by %j', (field, value, texts) => {
	expect(listTexts(field, value)).toEqual(texts);
});

test.each<[field: IdentityField, value: string, text: string | undefined]>([
	['email', ' Ann@X.example ', 'ann@x.example'],
	['email', 'ann\u00e9@x.example', undefined],
	['email', 'ann lee@x.example', undefined],
	['email', `${'a'.repeat(90)}@x.example`, `${'a'.repeat(90)}@x.example`],
	['email', `${'a'.repeat(91)}@x.example`, undefined],
	['linkedinProfileUrl', 'https://www.linkedin.com/in/Ann_l.e-e~1/', 'ann_l.e-e~1'],
	['linkedinProfileUrl', `linkedin.com/in/${'a'.repeat(100)}`, 'a'.repeat(100)],
	['linkedinProfileUrl', `linkedin.com/in/${'a'.repeat(101)}`, undefined],
	['linkedinProfileUrl', 'linkedin.com/in/ann\u00e9', undefined],
	['linkedinProfileUrl', 'linkedin.com/in/\u00e9ann', undefined],
	['phoneNumber', '030 1234567', undefined],
])('what every spelling of the %s %j has is %j', (field, value, text) => {
	expect(readPlainText(field, value)).toBe(text);
});
