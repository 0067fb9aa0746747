import type { Row } from '#kit/contract/resource.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { dutySwap, dutySwapFlow, dutySwapSteps } from './swap.contract.ts'

type SwapRow = Row<typeof dutySwap> & { student: { name: string; name_local: string } | null }
const view = (status: readonly string[]) => `filters=${encodeURIComponent(JSON.stringify({ status }))}`

/** Swaps of duties: agreed to by the other intern, decided on by who supervises. */
export default resourceWeb(dutySwap, {
  list: {
    useParts: () => {
      const steps = useSteps(dutySwapFlow as never, dutySwapSteps as never, {
        name: (row: SwapRow) => `${row.student ? nameOf(row.student) : ''} · ${row.gives ?? ''}`,
        refreshes: ['/duty-swaps', '/emtyaz/duties', '/emtyaz/roster', '/users/work'],
      })
      return { actions: steps.actions as never, inline: steps.next as never, bulk: steps.bulk }
    },
    rowName: (row) => nameOf((row as SwapRow).student ?? { name: '', name_local: '' }),
    views: [{ key: 'open', label: ['Under way', 'قيد التنفيذ'], query: view(['requested', 'agreed']) }],
    empty: {
      title: ['No swaps', 'لا توجد تبديلات'],
      text: ['Interns ask for swaps beside their duties.', 'يطلب الأطباء التبديل من شاشة نوبتجياتهم.'],
    },
  },
})
