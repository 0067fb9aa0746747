import { IconTag } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import type { Row } from '#kit/contract/resource.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import type { ListParts } from '#kit/web/fields/resource-web.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { studentTags } from '../tags/student-tags.contract.ts'
import type { TaggingAnswer } from '#areas/people/tags/tagging.contract.ts'
import type { TagsAnswer } from '../tags/tags-dialog.web.tsx'
import { student } from './student.contract.ts'

// Its inputs are more than the list itself needs: they come when it is opened.
const TagsOfMany = part(async () => (await import('../tags/tags-dialog.web.tsx')).TagsOfMany)

const filtered = (filters: unknown): string => `filters=${encodeURIComponent(JSON.stringify(filters))}`

/** Tags put on many students and taken off them; what was changed is taken back as one. */
function useParts(): ListParts<Row<typeof student>> {
  const t = useT('students')
  const me = useMe()
  const { send } = useChange()
  const [asking, setAsking] = useState<{ whom: Concerned; decide: (answer: TagsAnswer | null) => void } | null>(null)
  const last = useRef<{ act: TagsAnswer['act']; changed: TaggingAnswer['changed'] } | null>(null)
  if (!me.can('attach_tag')) return {}
  return {
    bulk: [
      {
        key: 'tags',
        label: t('tags'),
        icon: <IconTag size={14} />,
        asks: true,
        run: async (ids, whom) => {
          const answer = await new Promise<TagsAnswer | null>((decide) => setAsking({ whom, decide }))
          setAsking(null)
          if (!answer) return { done: [], failed: [] }
          const { act, tag_ids } = answer
          const result = await send(studentTags.calls[act], { body: { student_ids: [...ids], tag_ids } })
          last.current = { act, changed: result.changed }
          return result
        },
        undo: async () => {
          const opposite = studentTags.calls[last.current?.act === 'attach' ? 'remove' : 'attach']
          for (const { tag_id, ids } of last.current?.changed ?? [])
            await send(opposite, { body: { student_ids: ids, tag_ids: [tag_id] } })
        },
      },
    ],
    dialogs: asking && (
      <Suspense fallback={null}>
        <TagsOfMany whom={asking.whom} onAnswer={asking.decide} />
      </Suspense>
    ),
  }
}

export default resourceWeb(student, {
  list: {
    useParts,
    views: [
      { key: 'studying', label: ['Studying', 'المقيدون'], query: filtered({ status: ['studying'] }) },
      {
        key: 'warned',
        label: ['Under warning', 'المنذرون'],
        of: 'warnings',
        query: `${filtered({ status: ['studying'], warnings: { from: 1 } })}&order=-warnings`,
      },
      { key: 'graduated', label: ['Graduates', 'الخريجون'], query: filtered({ status: ['graduated'] }) },
    ],
    empty: {
      title: ['No students here', 'لا يوجد طلاب هنا'],
      text: [
        'Add students one by one, or bring many with a sheet.',
        'أضف الطلاب واحدًا واحدًا أو استورد مجموعة منهم من ملف.',
      ],
    },
  },
  form: { initial: () => ({ status: 'studying', level: 1 }) },
})
