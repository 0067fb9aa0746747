import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { emtyazOffering, rotationControlFlow, rotationControlSteps } from './offering.contract.ts'

type Group = Row<typeof emtyazOffering> & { training: { name: string; name_local: string } | null }
const view = (control_status: readonly string[]) => `filters=${encodeURIComponent(JSON.stringify({ control_status }))}`

/** Groups of rotations whose marks are entered, or go through control. */
export default resourceWeb(emtyazOffering, {
  list: {
    useParts: () => {
      const steps = useSteps(rotationControlFlow as never, rotationControlSteps as never, {
        name: (row: Group) => (row.training ? nameOf(row.training) : ''),
        refreshes: ['/emtyaz', '/emtyaz-offerings', '/users/work'],
      })
      return { actions: steps.actions as never, bulk: steps.bulk }
    },
    rowHref: (row) => to('/emtyaz/offerings/:id', { id: row.id }),
    rowName: (row) => nameOf((row as Group).training ?? { name: '', name_local: '' }),
    views: [
      { key: 'enter', label: ['To be marked', 'مطلوب تقديرها'], query: view(['Draft']) },
      { key: 'decide', label: ['In control', 'في الكنترول'], query: view(['Submitted', 'Reviewed', 'Approved']) },
    ],
    empty: {
      title: ['No rotations to mark', 'لا توجد دورات لتقدير درجاتها'],
      text: ['Rotations come here once interns are accepted in them.', 'تظهر الدورات هنا بعد قبول الأطباء فيها.'],
    },
  },
})
