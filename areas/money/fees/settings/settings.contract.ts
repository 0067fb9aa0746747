import { call, date, id, idParam, inputSchema, ref, rowSchema } from '#kit/contract/index.ts'
import { z } from 'zod'
import { scholarship } from '../scholarships/scholarship.contract.ts'
import { feeCurrency, feeType, feeLevel, minor, feeNote, per, stacking } from '../words.contract.ts'
import { PARTS } from './settings.rules.ts'

const kind = z.enum(['fall', 'spring', 'summer'])
const priceInput = z.strictObject({
  /** Of a row that is there; a new one has none. */
  id: id.optional(),
  item_id: id,
  program_id: id.nullish(),
  faculty_id: id.nullish(),
  level: feeLevel.nullish(),
  bylaw_id: id.nullish(),
  nationality_group_id: id.nullish(),
  /** The academic year in which students entered: the cohort keeps its price. */
  entry_year_id: id.nullish(),
  /** Per hour or course: of this course alone; of repeated courses, or of those that are not. */
  course_id: id.nullish(),
  repeats: z.boolean().nullish(),
  /** Per hour: from so many hours (in hundredths) to so many it costs the same. */
  flat: z.strictObject({ from: z.int().min(0).max(10_000), to: z.int().min(0).max(10_000), amount: minor }).nullish(),
  currency: feeCurrency,
  amount: minor,
  per,
})
const dueInput = z.strictObject({
  id: id.optional(),
  instalment: z.int().min(1).max(3),
  due_on: date,
  /** Per mille of the total. */
  share: z.int().min(1).max(1000),
  term_kind: kind.nullish(),
  faculty_id: id.nullish(),
  level: feeLevel.nullish(),
})
const step = z.strictObject({
  from_days: z.int().min(1).max(1000),
  amount: minor.min(1).nullable().default(null),
  per_mille: z.int().min(1).max(1000).nullable().default(null),
})
const fineInput = z.strictObject({ currency: feeCurrency, cap: minor.min(1).nullish(), steps: z.array(step).max(10) })
const accountInput = z.strictObject({ id: id.optional(), type: feeType, currency: feeCurrency, bank_id: id })

const priceRow = z.object({
  id,
  item: ref.extend({ type: feeType, is_automatic: z.boolean() }),
  program: ref.nullable(),
  faculty: ref.nullable(),
  level: z.int().nullable(),
  bylaw: ref.nullable(),
  nationality_group: ref.nullable(),
  entry_year: ref.nullable(),
  course: ref.nullable(),
  repeats: z.boolean().nullable(),
  flat: z.object({ from: z.int(), to: z.int(), amount: z.int() }).nullable(),
  currency: feeCurrency,
  amount: z.int(),
  per,
})
export type PriceShown = z.output<typeof priceRow>
const dueRow = z.object({
  id,
  type: feeType,
  instalment: z.int(),
  due_on: z.string(),
  share: z.int(),
  term_kind: kind.nullable(),
  faculty: ref.nullable(),
  level: z.int().nullable(),
})
export type DueShown = z.output<typeof dueRow>
const fineRow = z.object({
  id,
  type: feeType,
  currency: feeCurrency,
  cap: z.int().nullable(),
  steps: z.array(z.object({ from_days: z.int(), amount: z.int().nullable(), per_mille: z.int().nullable() })),
})
export type FineShown = z.output<typeof fineRow>
const accountRow = z.object({ id, type: feeType, currency: feeCurrency, bank: ref, income: ref.nullable() })
export type AccountShown = z.output<typeof accountRow>

const head = z.object({
  year: ref,
  /** Number of the version; 0: nothing is set yet. */
  version: z.int(),
  made_at: z.string().nullable(),
  made_by: ref.nullable(),
  stacking,
  grant_cap: z.int(),
  may_edit: z.boolean(),
})
const settings = head.extend({
  prices: z.array(priceRow),
  due_dates: z.array(dueRow),
  fines: z.array(fineRow),
  accounts: z.array(accountRow),
})
export type SettingsShown = z.output<typeof settings>
const shown = z.object({ data: settings })
/** What every change says: the version that was seen, and why. */
const seen = { version: z.int().min(0).optional(), note: feeNote.optional() }
const access = 'access_payment_setting'
const edit = 'edit_payment_setting'
const ofType = z.object({ yearId: idParam, type: feeType })
/** Where a row is added, what is no number stands in its place. */
const added = z.object({ yearId: idParam, id: z.string().regex(/^(?!\d+$)[\w-]{1,20}$/) })
const path = '/years/{yearId}/payments' as const
const rows = z.object({ data: z.array(rowSchema(scholarship, 'detail')) })
const row = z.object({ data: rowSchema(scholarship, 'detail') })
const removed = z.object({ data: z.object({ id }) })

const change = z.object({
  part: z.enum([...PARTS, 'stacking']),
  id: z.int(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})
export type ChangeShown = z.output<typeof change>
const versionRow = z.object({
  number: z.int(),
  what: z.string(),
  note: z.string().nullable(),
  made_at: z.string(),
  made_by: ref.nullable(),
})
export type VersionRow = z.output<typeof versionRow>

/** Settings of academic years: whatever is saved is a new version. */
export const settingsCalls = {
  overview: call('GET', '/payment-settings/overview', {
    permission: access,
    summary: ['Which academic years have which settings', 'الأعوام الدراسية وإعدادات رسومها'],
    response: z.object({
      data: z.object({
        years: z.array(
          z.object({
            year: ref,
            start_date: z.string(),
            version: z.int(),
            made_at: z.string().nullable(),
            made_by: ref.nullable(),
            prices: z.record(feeType, z.int()),
            due_dates: z.record(feeType, z.int()),
          }),
        ),
        /** What certificates cost in the year that runs: `value_local` in pounds, `value_usd` in dollars. */
        certificates: z.array(
          ref.extend({
            payment_settings: z.object({ value_local: z.int().nullable(), value_usd: z.int().nullable() }),
          }),
        ),
        current_year_id: id.nullable(),
      }),
    }),
  }),
  ofType: call('GET', `${path}/{type}`, {
    permission: access,
    summary: ['Settings of an academic year by type', 'إعدادات رسوم عام دراسي حسب النوع'],
    params: ofType,
    response: shown,
  }),
  putType: call('PUT', `${path}/{type}`, {
    permission: edit,
    summary: ['Set prices of a type, and its days and fines', 'حفظ أسعار نوع ومواعيده وغراماته'],
    params: ofType,
    body: z.strictObject({
      ...seen,
      prices: z.array(priceInput).max(2000).optional(),
      due_dates: z.array(dueInput).max(300).optional(),
      fines: z.array(fineInput).max(10).optional(),
    }),
    maxBody: 1_000_000,
    response: shown,
    example: { prices: [] },
  }),
  simulate: call('POST', `${path}/simulate`, {
    permission: edit,
    summary: [
      'What students are charged now and with other prices, by faculty',
      'ما يُطالب به الطلاب الآن وبأسعار أخرى، لكل كلية',
    ],
    body: z.strictObject({
      /** Prices that take the place of those with their ids, or are new; the others stay. */
      prices: z.array(priceInput).max(300),
      /** Prices that go. */
      removed: z.array(id).max(300).default([]),
      faculty_id: id.nullish(),
    }),
    response: z.object({
      data: z.object({
        students: z.int(),
        rows: z.array(
          z.object({
            faculty: ref.nullable(),
            currency: feeCurrency,
            students: z.int(),
            changed: z.int(),
            before: z.int(),
            after: z.int(),
          }),
        ),
        /** Students for whom no price fits. */
        without_before: z.int(),
        without_after: z.int(),
      }),
    }),
    heavy: true,
    reads: true,
    example: { prices: [] },
  }),
  price: call('GET', `${path}/payment-settings/{id}`, {
    permission: access,
    summary: ['Show a price of a year', 'عرض سعر'],
    response: z.object({ data: priceRow }),
  }),
  addPrice: call('POST', `${path}/payment-settings/{id}`, {
    permission: edit,
    summary: ['Add a price to a year', 'إضافة سعر'],
    params: added,
    body: priceInput.omit({ id: true }).extend(seen),
    response: z.object({ data: priceRow, version: z.int() }),
    example: { item_id: 1, level: 4, faculty_id: 1, bylaw_id: 1, currency: 'EGP', amount: 100_000, per: 'term' },
  }),
  putPrice: call('PUT', `${path}/payment-settings/{id}`, {
    permission: edit,
    summary: ['Change a price of a year', 'تعديل سعر'],
    body: priceInput.omit({ id: true }).partial().extend(seen),
    response: z.object({ data: priceRow, version: z.int() }),
    example: { amount: 120_000 },
  }),
  removePrice: call('DELETE', `${path}/payment-settings/{id}`, {
    permission: edit,
    summary: ['Remove a price of a year', 'حذف سعر'],
    body: z.strictObject(seen).optional(),
    response: removed,
  }),
  accounts: call('GET', `${path}/payment-accounts`, {
    permission: access,
    summary: ['Accounts into which a year is paid', 'حسابات السداد لعام دراسي'],
    response: z.object({ data: z.array(accountRow), version: z.int() }),
  }),
  addAccount: call('POST', `${path}/payment-accounts`, {
    permission: edit,
    summary: ['Add an account to pay into', 'إضافة حساب سداد'],
    body: accountInput.omit({ id: true }).extend(seen),
    response: z.object({ data: accountRow, version: z.int() }),
    example: { type: 'certificates', currency: 'USD', bank_id: 2 },
  }),
  changeAccount: call('POST', `${path}/payment-accounts/{id}`, {
    permission: edit,
    summary: ['Change an account to pay into', 'تعديل حساب سداد'],
    body: accountInput.omit({ id: true }).partial().extend(seen),
    response: z.object({ data: accountRow, version: z.int() }),
    example: { bank_id: 1 },
  }),
  putAccounts: call('PUT', `${path}/payment-accounts`, {
    permission: edit,
    summary: ['Set all accounts to pay into', 'حفظ كل حسابات السداد'],
    body: z.strictObject({ ...seen, accounts: z.array(accountInput).max(100) }),
    response: z.object({ data: z.array(accountRow), version: z.int() }),
    example: { accounts: [] },
  }),
  putAccount: call('PUT', `${path}/payment-accounts/{id}`, {
    permission: edit,
    summary: ['Change an account to pay into', 'تعديل حساب سداد'],
    body: accountInput.omit({ id: true }).partial().extend(seen),
    response: z.object({ data: accountRow, version: z.int() }),
    example: { bank_id: 1 },
  }),
  removeAccount: call('DELETE', `${path}/payment-accounts/{id}`, {
    permission: edit,
    summary: ['Remove an account to pay into', 'حذف حساب سداد'],
    body: z.strictObject(seen).optional(),
    response: removed,
  }),
  accountsOf: call('GET', `${path}/{type}/payment-accounts`, {
    permission: access,
    summary: ['Accounts into which a type is paid', 'حسابات السداد لنوع'],
    params: ofType,
    response: z.object({ data: z.array(accountRow), version: z.int() }),
  }),
  putAccountsOf: call('PUT', `${path}/{type}/payment-accounts`, {
    permission: edit,
    summary: ['Set the accounts into which a type is paid', 'حفظ حسابات السداد لنوع'],
    params: ofType,
    body: z.strictObject({ ...seen, accounts: z.array(accountInput.omit({ type: true })).max(20) }),
    response: z.object({ data: z.array(accountRow), version: z.int() }),
    example: { accounts: [] },
  }),
  dueDate: call('POST', `${path}/{type}/due-date`, {
    permission: edit,
    summary: ['Set the day of an instalment; shares are equal where none is said', 'تحديد موعد قسط'],
    params: ofType,
    body: dueInput.omit({ id: true }).extend({ ...seen, share: z.int().min(1).max(1000).optional() }),
    response: z.object({ data: z.array(dueRow), version: z.int() }),
    example: { instalment: 1, due_on: '2026-10-01' },
  }),
  dueDates: call('POST', `${path}/due-dates/{type}`, {
    permission: edit,
    summary: ['Set all days of a type', 'حفظ كل مواعيد نوع'],
    params: ofType,
    body: z.strictObject({ ...seen, due_dates: z.array(dueInput).max(300) }),
    response: z.object({ data: z.array(dueRow), version: z.int() }),
    example: { due_dates: [] },
  }),
  changeDueDate: call('POST', `${path}/due-dates/{type}/{id}`, {
    permission: edit,
    summary: ['Move the day of an instalment', 'تغيير موعد قسط'],
    params: z.object({ yearId: idParam, type: feeType, id: idParam }),
    body: z.strictObject({ ...seen, due_on: date }),
    response: z.object({ data: z.array(dueRow), version: z.int() }),
    example: { due_on: '2026-10-02' },
  }),
  allDueDates: call('GET', `${path}/due-dates`, {
    permission: access,
    summary: ['Days by which instalments of a year are due', 'مواعيد سداد أقساط العام'],
    response: z.object({ data: z.array(dueRow), version: z.int() }),
  }),
  saveFines: call('POST', `${path}/save-fines/{id}`, {
    permission: edit,
    summary: ['Set the fines of a type (id) by days late', 'حفظ غرامات تأخير نوع'],
    params: z.object({ yearId: idParam, id: feeType }),
    body: z.strictObject({ ...seen, fines: z.array(fineInput).max(10) }),
    response: z.object({ data: z.array(fineRow), version: z.int() }),
    example: { fines: [{ currency: 'EGP', cap: 200_000, steps: [{ from_days: 15, amount: null, per_mille: 10 }] }] },
  }),
  putStacking: call('PUT', `${path}/stacking`, {
    permission: edit,
    summary: ['Set how scholarships stand beside each other', 'تحديد طريقة اجتماع المنح'],
    body: z.strictObject({ ...seen, stacking, grant_cap: z.int().min(0).max(10_000) }),
    response: shown,
    example: { stacking: 'rest', grant_cap: 10_000 },
  }),
  copyFrom: call('POST', `${path}/copy-from/{id}`, {
    permission: edit,
    summary: ['Begin with the settings of another year, raised by a share', 'النسخ من عام آخر مع زيادة'],
    body: z.strictObject({
      ...seen,
      /** By so many per mille; amounts are rounded up to whole pounds or dollars. */
      raise: z.int().min(-500).max(1000).default(0),
    }),
    response: shown,
    example: { raise: 100 },
  }),
  versions: call('GET', `${path}/versions`, {
    permission: access,
    summary: ['Versions of the settings of a year', 'إصدارات إعدادات رسوم عام'],
    response: z.object({ data: z.array(versionRow) }),
  }),
  version: call('GET', `${path}/versions/{number}`, {
    permission: access,
    summary: ['A version whole, and what it changed', 'إصدار كامل وما غيّره'],
    params: z.object({ yearId: idParam, number: idParam }),
    response: z.object({
      data: settings.extend({ what: z.string(), note: z.string().nullable(), changes: z.array(change) }),
    }),
  }),
  level: call('GET', '/level-payment-settings/{id}', {
    permission: access,
    summary: ['Prices by level of a year (id)', 'أسعار المستويات لعام'],
    response: z.object({ data: z.array(priceRow), version: z.int() }),
  }),
  putLevel: call('PUT', '/level-payment-settings/{id}', {
    permission: edit,
    summary: ['Set the prices by level of a year (id)', 'حفظ أسعار المستويات لعام'],
    body: z.strictObject({ ...seen, prices: z.array(priceInput.extend({ level: feeLevel })).max(2000) }),
    maxBody: 1_000_000,
    response: z.object({ data: z.array(priceRow), version: z.int() }),
    example: { prices: [] },
  }),
  summer: call('GET', '/summer-payment-settings/{id}', {
    permission: access,
    summary: ['Prices of the summer of a year (id)', 'أسعار الفصل الصيفي لعام'],
    response: z.object({ data: z.array(priceRow), version: z.int() }),
  }),
  putSummer: call('PUT', '/summer-payment-settings/{id}', {
    permission: edit,
    summary: ['Set the prices of the summer of a year (id)', 'حفظ أسعار الفصل الصيفي لعام'],
    body: z.strictObject({ ...seen, prices: z.array(priceInput).max(2000) }),
    maxBody: 1_000_000,
    response: z.object({ data: z.array(priceRow), version: z.int() }),
    example: { prices: [] },
  }),
  lookups: call('GET', '/test/year/lookups', {
    permission: access,
    summary: ['What settings of a year choose from', 'خيارات إعدادات رسوم العام'],
    response: z.object({
      data: z.object({
        years: z.array(ref),
        items: z.array(ref.extend({ type: feeType, is_automatic: z.boolean() })),
        faculties: z.array(ref),
        programs: z.array(ref.extend({ faculty_id: id, bylaw_id: id })),
        bylaws: z.array(ref.extend({ faculty_id: id })),
        levels: z.array(z.int()),
        nationality_groups: z.array(ref.extend({ currency: feeCurrency })),
        banks: z.array(ref.extend({ currency: z.string() })),
      }),
    }),
  }),
  scholarships: call('GET', `${path}/scholarship`, {
    permission: 'access_scholarship',
    summary: ['Scholarships given by hand in a year', 'المنح اليدوية لعام'],
    response: rows,
  }),
  automatic: call('GET', `${path}/get-automatic-scholarship`, {
    permission: 'access_scholarship',
    summary: ['Automatic scholarships of a year', 'المنح التلقائية لعام'],
    response: rows,
  }),
  addScholarship: call('POST', `${path}/create-scholarship`, {
    permission: 'add_scholarship',
    summary: ['Add a scholarship by hand to a year', 'إضافة منحة يدوية لعام'],
    body: inputSchema(scholarship, 'create'),
    response: row,
    example: {
      code: 'ZZA',
      name: 'Athletes',
      name_local: 'الرياضيون',
      basis: 'manual',
      percent: '20.00',
      types: ['tuition'],
    },
  }),
  putScholarship: call('POST', `${path}/edit-scholarship/{id}`, {
    permission: 'edit_scholarship',
    summary: ['Change a scholarship of a year', 'تعديل منحة لعام'],
    body: inputSchema(scholarship, 'update'),
    response: row,
    example: { percent: '25.00' },
  }),
  removeScholarship: call('DELETE', `${path}/delete-scholarship/{id}`, {
    permission: 'remove_scholarship',
    summary: ['Remove a scholarship of a year', 'حذف منحة من عام'],
    body: z.strictObject({ payment_setting_scholarship_id: id.optional() }).optional(),
    response: removed,
  }),
  addAutomatic: call('POST', `${path}/create-Auto-scholarship`, {
    permission: 'add_scholarship',
    summary: ['Add an automatic scholarship to a year', 'إضافة منحة تلقائية لعام'],
    body: inputSchema(scholarship, 'create'),
    response: row,
    example: {
      code: 'ZZB',
      name: 'Top ten',
      name_local: 'العشرة الأوائل',
      basis: 'rank',
      from_value: '1.00',
      to_value: '10.00',
      percent: '15.00',
      types: ['tuition'],
    },
  }),
  putAutomatic: call('POST', `${path}/edit-Auto-scholarship/{id}`, {
    permission: 'edit_scholarship',
    summary: ['Change an automatic scholarship of a year', 'تعديل منحة تلقائية لعام'],
    body: inputSchema(scholarship, 'update'),
    response: row,
    example: { percent: '25.00' },
  }),
}
