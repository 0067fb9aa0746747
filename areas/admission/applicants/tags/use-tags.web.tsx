import { IconTag } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import type { TaggingAnswer } from '#areas/people/tags/tagging.contract.ts'
import type { Row } from '#kit/contract/resource.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import type { ListParts } from '#kit/web/fields/resource-web.ts'
import type { applicant } from '../applicant/applicant.contract.ts'
import { applicantTags } from './applicant-tags.contract.ts'
import type { ApplicantTagsAnswer } from './tags-dialog.web.tsx'

const TagsOfApplicants = part(async () => (await import('./tags-dialog.web.tsx')).TagsOfApplicants)

/** Tags put on many applicants and taken off them; what was changed is taken back as one. */
export function useApplicantTags(): Pick<ListParts<Row<typeof applicant>>, 'bulk' | 'dialogs'> {
  const t = useT('applicants')
  const me = useMe()
  const { send } = useChange()
  const [asking, setAsking] = useState<{
    whom: Concerned
    decide: (answer: ApplicantTagsAnswer | null) => void
  } | null>(null)
  const last = useRef<{ act: ApplicantTagsAnswer['act']; changed: TaggingAnswer['changed'] } | null>(null)
  if (!me.can('attach_tag')) return {}
  return {
    bulk: [
      {
        key: 'tags',
        label: t('tags'),
        icon: <IconTag size={14} />,
        asks: true,
        run: async (ids, whom) => {
          const answer = await new Promise<ApplicantTagsAnswer | null>((decide) => setAsking({ whom, decide }))
          setAsking(null)
          if (!answer) return { done: [], failed: [] }
          const { act, tag_ids } = answer
          const result = await send(applicantTags.calls[act], { body: { applicant_ids: [...ids], tag_ids } })
          last.current = { act, changed: result.changed }
          return result
        },
        undo: async () => {
          const opposite = applicantTags.calls[last.current?.act === 'attach' ? 'remove' : 'attach']
          for (const { tag_id, ids } of last.current?.changed ?? [])
            await send(opposite, { body: { applicant_ids: ids, tag_ids: [tag_id] } })
        },
      },
    ],
    dialogs: asking && (
      <Suspense fallback={null}>
        <TagsOfApplicants whom={asking.whom} onAnswer={asking.decide} />
      </Suspense>
    ),
  }
}
