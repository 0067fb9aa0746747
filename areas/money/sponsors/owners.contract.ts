import { owned } from '#kit/contract/index.ts'
import { SPONSORSHIP_STATES } from './sponsorships/sponsorship.contract.ts'

type State = (typeof SPONSORSHIP_STATES)[number]['value']
const labelOf = (state: State) => SPONSORSHIP_STATES.find(({ value }) => value === state)!.label

/** Who owns each state of a sponsorship. */
export const sponsorshipStates = owned<State>({
  name: 'sponsorship',
  one: ['Sponsorship', 'رعاية'],
  table: 'sponsorships',
  state: 't.status',
  states: {
    offered: {
      label: labelOf('offered'),
      owner: ['whoever enters it', 'من يدخلها'],
      screen: '/sponsorships',
      doors: ['POST /sponsorships/add-many', 'PUT /sponsorships', 'POST /sponsorships/import/save/{import_id}'],
    },
    active: {
      label: labelOf('active'),
      owner: ['its beginning by finance', 'بدؤها من الإدارة المالية'],
      screen: '/sponsorships',
      doors: ['POST /sponsorships/begin', 'POST /sponsorships/add-many'],
    },
    withdrawn: {
      label: labelOf('withdrawn'),
      owner: ['the withdrawal of its sponsor', 'انسحاب الجهة الراعية'],
      screen: '/sponsors',
      doors: ['POST /sponsors/{id}/withdraw'],
    },
    ended: {
      label: labelOf('ended'),
      owner: ['the end of its last term', 'انتهاء آخر فصولها'],
      screen: '/sponsorships',
      doors: [{ job: 'end-sponsorships' }],
    },
  },
})
