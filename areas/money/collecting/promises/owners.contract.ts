import { owned } from '#kit/contract/index.ts'
import { PROMISE_STATES } from './promise.contract.ts'

type State = (typeof PROMISE_STATES)[number]['value']
const word = (state: State) => PROMISE_STATES.find(({ value }) => value === state)!.label

/** Who owns each state of a promise: staff note it and take it back, what is paid by its day decides the rest. */
export const promiseStates = owned<State>({
  name: 'promise',
  one: ['Promise to pay', 'وعد بالسداد'],
  table: 'payment_promises',
  state: 't.state',
  states: {
    standing: {
      label: word('standing'),
      owner: ['the note of a member of staff', 'تسجيل أحد الموظفين'],
      screen: '/promises',
      doors: ['PUT /promises'],
    },
    kept: {
      label: word('kept'),
      owner: ['what is paid by the day', 'ما يُسدد حتى الموعد'],
      screen: '/promises',
      doors: [{ job: 'promises' }],
    },
    broken: {
      label: word('broken'),
      owner: ['the day that is over', 'انقضاء الموعد'],
      screen: '/promises',
      doors: [{ job: 'promises' }],
    },
    withdrawn: {
      label: word('withdrawn'),
      owner: ['whoever notes promises', 'من يسجل الوعود'],
      screen: '/promises',
      doors: [
        'POST /promises/withdraw/{id}',
        // The invoice that it was for.
        'POST /payments/reverse-invoice/{id}',
      ],
    },
  },
})
