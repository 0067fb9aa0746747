import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatList, nameOf, type Named } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { thesisFlow, thesisSteps } from './flow.contract.ts'
import { thesis } from './thesis.contract.ts'

const titled = (row: Row<typeof thesis>) => nameOf({ name: row.title ?? '', name_local: row.title_local ?? '' })
const view = (status: readonly string[]) => `filters=${encodeURIComponent(JSON.stringify({ status }))}`

/** All theses within reach; what waits for a council first. */
export default resourceWeb(thesis, {
  list: {
    columns: (generic) =>
      generic.map((column) =>
        column.key === 'supervisors'
          ? { ...column, cell: (row) => formatList((row.supervisors as Named[]).map((one) => nameOf(one))) }
          : column.key === 'title'
            ? { ...column, cell: (row) => titled(row as never) }
            : column.key === 'status'
              ? { ...column, width: 210 }
              : column,
      ),
    useParts: () => {
      const steps = useSteps(thesisFlow as never, thesisSteps as never, {
        name: (row: Row<typeof thesis>) => titled(row),
        refreshes: ['/theses', '/users/work'],
      })
      // What a step needs besides is asked on the page of the thesis.
      return { bulk: steps.bulk }
    },
    rowHref: (row) => to('/theses/:id', { id: row.id }),
    rowName: (row) => titled(row as never),
    views: [
      { key: 'decide', label: ['To be decided', 'تنتظر القرار'], query: view(['registered', 'changing', 'discussed']) },
      { key: 'granted', label: ['Granted', 'مُنحت الدرجة'], query: view(['granted']) },
    ],
    empty: {
      title: ['No theses', 'لا توجد رسائل'],
      text: [
        'A thesis begins with a subject that a supervisor gives, or is added here.',
        'تبدأ الرسالة بموضوع يسنده مشرف، أو تُضاف هنا.',
      ],
    },
  },
})
