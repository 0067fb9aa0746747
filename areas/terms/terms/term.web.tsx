import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import stageWeb from '../stages/stage.web.tsx'
import { StageStrip } from '../stages/strip.web.tsx'
import { term } from './term.contract.ts'

export default resourceWeb(term, {
  detail: {
    panels: [
      { key: 'windows', title: ['Windows', 'المواعيد'], tab: false, Content: ({ row }) => <StageStrip term={row} /> },
      {
        key: 'stages',
        title: ['Stages', 'المراحل'],
        Content: ({ row }) => <ResourceList web={stageWeb} page={false} fixed={{ term_id: [row.id] }} />,
      },
    ],
  },
})
