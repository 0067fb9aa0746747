import { Modal } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import type { ListParts } from '#kit/web/fields/resource-web.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { school, schoolMerge } from '../schools-list/school.contract.ts'
import { universityFaculty, universityFacultyMerge } from '../university-faculties/university-faculty.contract.ts'
import { otherUniversity, universityMerge } from './university.contract.ts'

interface Row {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly abilities: readonly string[]
}

const MERGES = {
  otherUniversity: [otherUniversity, universityMerge],
  universityFaculty: [universityFaculty, universityFacultyMerge],
  school: [school, schoolMerge],
} as const

/** A record that stands there twice is put together with the one that stays. */
const mergeParts = (kind: keyof typeof MERGES) =>
  function useParts(): ListParts<Row> {
    const t = useT('settings')
    const lang = useLanguage()
    const me = useMe()
    const [merging, setMerging] = useState<Row | null>(null)
    const [of, merge] = MERGES[kind]
    const { send } = useChange(of.path)
    if (!me.may(of.permissions.edit!)) return {}
    return {
      actions: (row) =>
        row.abilities.includes('edit')
          ? [
              {
                key: 'merge',
                label: t('merge_into'),
                icon: <IconArrowMerge size={15} aria-hidden />,
                onSelect: () => setMerging(row),
              },
            ]
          : [],
      dialogs: merging && (
        <Modal opened onClose={() => setMerging(null)} title={t('merge_title', { name: nameOf(merging, lang) })}>
          <p>{t('merge_text')}</p>
          <Form
            bar="dialog"
            always
            submit={t('merge_into')}
            onCancel={() => setMerging(null)}
            fields={{ into_id: f.lookup(['The record that stays', 'السجل الباقي'], kind, { required: true }) }}
            onSave={({ into_id }) =>
              send(merge as typeof universityMerge, {
                params: { id: merging.id },
                body: { into_id: Number(into_id) },
              })
            }
            onSaved={({ data }) => {
              notify.done(t('merged_done', { count: data.moved + data.renamed }))
              setMerging(null)
            }}
          />
        </Modal>
      ),
    }
  }

export const universities = resourceWeb(otherUniversity, {
  list: { useParts: mergeParts('otherUniversity') },
})
export const universityFaculties = resourceWeb(universityFaculty, {
  list: { useParts: mergeParts('universityFaculty') },
})
export const schools = resourceWeb(school, { list: { useParts: mergeParts('school') } })
