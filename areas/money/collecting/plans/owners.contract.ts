import { owned, type Door, type Label } from '#kit/contract/index.ts'
import { PLAN_STATES } from './plan.contract.ts'

type State = (typeof PLAN_STATES)[number]['value']
const OWNERS: Readonly<Record<State, { owner: Label; doors: readonly Door[] }>> = {
  asked: { owner: ['whoever asks for it', 'من يطلبها'], doors: ['PUT /payment-plans'] },
  refused: { owner: ['the decision of finance', 'قرار الإدارة المالية'], doors: ['POST /payment-plans/refuse/{id}'] },
  withdrawn: { owner: ['whoever asked for it', 'من طلبها'], doors: ['POST /payment-plans/withdraw/{id}'] },
  running: { owner: ['the decision of finance', 'قرار الإدارة المالية'], doors: ['POST /payment-plans/accept/{id}'] },
  kept: { owner: ['what is paid', 'ما يُسدد'], doors: [{ job: 'payment-plans' }] },
  broken: { owner: ['a part that is not paid in time', 'قسط لم يُسدد في موعده'], doors: [{ job: 'payment-plans' }] },
  ended: {
    owner: ['finance, or the end of its invoices', 'الإدارة المالية أو انتهاء فواتيرها'],
    doors: ['POST /payment-plans/end/{id}', 'POST /payments/reverse-invoice/{id}'],
  },
}
/** Who owns each state of a plan: a student asks, finance decides, and what is paid by its day does the rest. */
export const planStates = owned<State>({
  name: 'plan',
  one: ['Payment plan', 'خطة سداد'],
  table: 'payment_plans',
  state: 't.state',
  states: Object.fromEntries(
    PLAN_STATES.map(({ value, label }) => [value, { label, screen: '/payment-plans', ...OWNERS[value] }]),
  ) as Record<State, never>,
})
