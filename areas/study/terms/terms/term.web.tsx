import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { listPanel } from '#kit/web/list/list-panel.tsx'
import { StageStrip } from '../stages/strip.web.tsx'
import { term } from './term.contract.ts'
import { stage } from '../stages/stage.contract.ts'

export default resourceWeb(term, {
  detail: {
    panels: [
      {
        key: 'windows',
        title: ['Stages', 'المراحل'],
        tab: false,
        permission: stage.permissions.list ?? [],
        Content: ({ row }) => <StageStrip term={row} />,
      },
      {
        key: 'stages',
        title: ['Stages', 'المراحل'],
        ...listPanel(
          stage,
          () => import('../stages/stage.web.tsx'),
          (row) => ({ term_id: [row.id] }),
        ),
      },
    ],
  },
})
