import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const credentialsTold: TablesTold = {
  paper_credentials: {
    one: ['Credential of a paper', 'اعتماد رقمي لوثيقة'],
    many: ['Credentials of papers', 'اعتمادات رقمية لوثائق'],
    fields: {
      list: f.integer(['List of revocations', 'قائمة الإلغاء']),
      position: f.integer(['Place in the list', 'الموضع في القائمة']),
      paper_id: f.integer(['Paper', 'الوثيقة']),
    },
  },
  credential_keys: {
    one: ['Key of credentials', 'مفتاح الاعتمادات الرقمية'],
    many: ['Keys of credentials', 'مفاتيح الاعتمادات الرقمية'],
    fields: { multibase: f.text(['Public key', 'المفتاح العام']) },
  },
}
