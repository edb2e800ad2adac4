import { describeAlert } from './examples/alert.mts';
import { describeContacts } from './examples/contacts.mts';
import { describeDeaf } from './examples/deaf.mts';
import { describeDigest } from './examples/digest.mts';
import { describeExport } from './examples/export.mts';
import { describeFiles } from './examples/files.mts';
import { describeForm } from './examples/form.mts';
import { describeOverrides } from './examples/overrides.mts';
import { describeSync } from './examples/sync.mts';
import { openWorkbench, type Workbench } from './workbench.mts';

// One file for all of them, because n8n limits logins per minute.
let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
afterAll(async () => await bench.close());

const open = (): Workbench => bench;

describeFiles(open);
describeContacts(open);
describeSync(open);
describeForm(open);
describeExport(open);
describeDigest(open);
describeOverrides(open);
describeAlert(open);
describeDeaf(open);
