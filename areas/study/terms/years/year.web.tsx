import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import termWeb from '../terms/term.web.tsx'
import { year } from './year.contract.ts'

export default resourceWeb(year, {
  detail: {
    panels: [
      {
        key: 'terms',
        title: ['Terms', 'الفصول الدراسية'],
        tab: false,
        Content: ({ row }) => <ResourceList web={termWeb} page={false} fixed={{ year_id: [row.id] }} />,
      },
    ],
  },
})
