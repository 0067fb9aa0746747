import { z } from 'zod'
import { otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { call, f, id, listOf, listQuery, problem, ref, safeText, screen } from '#kit/contract/index.ts'

/** Where a deposit stands: its student studies, has left and it is to be given back, or it was given back. */
export const DEPOSIT_STATES = [
  { value: 'held', label: ['Held', 'محفوظ'], tone: 'active' },
  { value: 'to_return', label: ['To be given back', 'مستحق الرد'], tone: 'waiting' },
  { value: 'given_back', label: ['Given back', 'تم رده'], tone: 'done' },
] as const

export const depositFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  state: f.choice(['State', 'الحالة'], DEPOSIT_STATES),
  held: f.money(['Held', 'محفوظ']),
  returned: f.money(['Given back', 'تم رده']),
  owed: f.money(['Owed', 'المستحق']),
}

const money = z.int()
const row = z.object({
  /** The payer, of whom a deposit is held in one currency. */
  id,
  student: ref.nullable(),
  /** Whose it is, where it is no student's. */
  payer: otherPayerRef.nullable(),
  faculty: ref.nullable(),
  currency: z.enum(['EGP', 'USD']),
  held: money,
  returned: money,
  /** What the student owes in that currency. */
  owed: money,
  state: z.enum(DEPOSIT_STATES.map((one) => one.value)),
  abilities: z.array(z.enum(['return'])),
})
export type DepositRow = z.output<typeof row>

export const depositsPart = {
  calls: {
    deposits: call('POST', '/deposits', {
      permission: 'access_deposit',
      summary: ['List deposits', 'عرض التأمينات'],
      body: listQuery,
      response: listOf(row),
      reads: true,
    }),
    returnDeposits: call('POST', '/deposits/return', {
      permission: 'return_deposit',
      summary: [
        'Give deposits back: into the wallet, or set off against what is owed',
        'رد التأمينات: إلى المحفظة أو بالخصم من المستحق',
      ],
      body: z.strictObject({
        /** Payers. */
        ids: z.array(id).min(1).max(500),
        currency: z.enum(['EGP', 'USD']),
        /** What is owed is settled with it; else nothing may be owed. */
        set_off: z.boolean().default(false),
        reason: safeText(500, 3),
      }),
      response: z.object({
        data: z.object({
          done: z.array(z.object({ id, transaction_id: id, set_off: money, to_wallet: money })),
          failed: z.array(z.object({ id, errors: z.array(problem) })),
        }),
      }),
      example: { ids: [1], currency: 'EGP', set_off: true, reason: 'Left the university' },
    }),
  },
  screens: [
    screen('/deposits', {
      permission: 'access_deposit',
      title: ['Deposits', 'التأمينات'],
      menu: { group: 'finance', order: 116, icon: 'shield-dollar', block: 'invoices', subject: 'wallets' },
    }),
  ],
  notices: {
    notice_deposit_back: {
      title: ['Deposit given back', 'رد التأمين'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
  },
  errors: {
    deposit_none: [
      'Nothing is held of this student in {currency}.',
      'لا يوجد تأمين محفوظ لهذا الطالب بعملة {currency}.',
    ],
    deposit_studies: ['The student has not left the university.', 'الطالب لم يترك الجامعة.'],
    deposit_dismissed: [
      'Students who are dismissed get no deposit back: the settings of the university say so.',
      'لا يُرد التأمين إلى الطلاب المفصولين وفق إعدادات الجامعة.',
    ],
    deposit_owed: [
      '{owed} are owed: set the deposit off against that, or wait until it is paid.',
      'على الطالب {owed}: اخصم التأمين من المستحق أو انتظر سداده.',
    ],
    deposit_negative: ['The deposit was given back already.', 'تم رد التأمين بالفعل.'],
    refund_deposit: [
      'A deposit was given back with this, nothing came: pay out of the wallet, or cancel it.',
      'هذه الحركة رد تأمين ولم يرد بها مبلغ: اصرف من المحفظة أو ألغها.',
    ],
  },
} as const
