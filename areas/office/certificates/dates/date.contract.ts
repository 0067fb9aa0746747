import { z } from 'zod'
import { call, f, id, listOf, listQuery, resource } from '#kit/contract/index.ts'
import { inputSchema, rowSchema } from '#kit/contract/resource.ts'
import { crud } from '#access/crud.contract.ts'

/** Days on which a type may be asked for. A type without such days may be asked for at any time. */
export const certificateDate = resource({
  name: 'certificateDate',
  path: '/certificates_dates',
  table: 'certificate_dates',
  one: ['Dates of a certificate', 'مواعيد شهادة'],
  many: ['Dates of certificates', 'مواعيد الشهادات'],
  adding: ['Add dates', 'إضافة مواعيد'],
  editing: ['Edit dates', 'تعديل المواعيد'],
  permissions: crud('certificateDate'),
  scope: 'university',
  changedBy: 'whole',
  fields: {
    type_id: f.lookup(['Type of certificate', 'نوع الشهادة'], 'certificateSetting', {
      required: true,
      createOnly: true,
    }),
    from_date: f.date(['First day', 'أول يوم'], { required: true }),
    until_date: f.date(['Last day', 'آخر يوم'], { required: true }),
    note: f.text(['Note', 'ملاحظة'], { max: 300 }),
  },
  list: {
    columns: ['type_id', 'from_date', 'until_date', 'note'],
    search: ['note'],
    sort: ['from_date', 'until_date'],
    filters: ['type_id'],
    order: ['from_date', 'desc'],
  },
  exportName: 'Certificate dates',
  softDelete: true,
  screens: { list: '/certificates_dates', add: '/certificates_dates/add', edit: '/certificates_dates/edit/:id' },
  plain: true,
  menu: { group: 'services', order: 61, icon: 'calendar-event', setup: true },
})

const answered = z.object({ data: rowSchema(certificateDate, 'detail') })
/** The calls of dates at the paths of the documents. */
export const dateCalls = {
  listDates: call('POST', '/certificates_dates/list', {
    permission: certificateDate.permissions.list!,
    summary: ['Dates of certificates', 'مواعيد الشهادات'],
    body: listQuery,
    response: listOf(rowSchema(certificateDate, 'list')),
    reads: true,
  }),
  addDates: call('POST', '/certificates_dates/put', {
    permission: certificateDate.permissions.add!,
    summary: ['Add dates of a certificate', 'إضافة مواعيد شهادة'],
    body: inputSchema(certificateDate, 'create'),
    response: answered,
    example: { type_id: 1, from_date: '2099-02-01', until_date: '2099-02-20' },
  }),
  changeDates: call('POST', '/certificates_dates/put/{id}', {
    permission: certificateDate.permissions.edit!,
    summary: ['Change dates of a certificate', 'تعديل مواعيد شهادة'],
    body: inputSchema(certificateDate, 'update'),
    response: answered,
    example: { until_date: '2099-03-20' },
  }),
  datesOfType: call('GET', '/certificates_dates/lookups/{type}', {
    permission: 'signed_in',
    summary: ['When a type of certificate may be asked for', 'متى يمكن طلب نوع شهادة'],
    params: z.object({ type: z.coerce.number().int().positive().max(2_147_483_647) }),
    response: z.object({
      data: z.object({
        /** Whether it may be asked for today. */
        open: z.boolean(),
        dates: z.array(z.object({ id, from_date: z.string(), until_date: z.string() })),
      }),
    }),
  }),
}
