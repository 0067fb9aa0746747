import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const credentialsTold: TablesTold = {
  paper_credentials: {
    one: ['Credential of a paper', 'اعتماد رقمي لوثيقة'],
    many: ['Credentials of papers', 'اعتمادات رقمية لوثائق'],
    fields: {
      list: { label: ['List of revocations', 'قائمة الإلغاء'] },
      position: { label: ['Place in the list', 'الموضع في القائمة'] },
      paper_id: { label: ['Paper', 'الوثيقة'] },
    },
  },
  credential_keys: {
    one: ['Key of credentials', 'مفتاح الاعتمادات الرقمية'],
    many: ['Keys of credentials', 'مفاتيح الاعتمادات الرقمية'],
    fields: { multibase: { label: ['Public key', 'المفتاح العام'] } },
  },
}
