import { f, lookup } from '#kit/contract/index.ts'

/** In whose place certificates are signed, and who holds that position, for which faculty and from when to when. */
export const signingPosition = lookup('signingPosition', {
  path: '/signing-positions',
  table: 'signatory_positions',
  one: ['Signing position', 'وظيفة توقيع'],
  many: ['Signing positions', 'وظائف التوقيع'],
  adding: ['Add signing position', 'إضافة وظيفة توقيع'],
  editing: ['Edit signing position', 'تعديل وظيفة توقيع'],
  changedBy: 'whole',
  fields: {
    holders: f.rows(
      ['Held by', 'شاغلو الوظيفة'],
      {
        user_id: f.lookup(['Person', 'الشخص'], 'user', { required: true }),
        faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', {
          help: ['Empty: the whole university', 'فارغ: الجامعة كلها'],
        }),
        valid_from: f.date(['From', 'من'], { required: true }),
        valid_to: f.date(['Until', 'حتى'], { help: ['Empty: until further notice', 'فارغ: حتى إشعار آخر'] }),
      },
      {
        table: 'signatory_holders',
        parent: 'position_id',
        by: 'c.valid_from desc, c.id',
        max: 300,
        detailOnly: true,
      },
    ),
  },
  menu: { group: 'services', order: 62, icon: 'signature', setup: true },
})
