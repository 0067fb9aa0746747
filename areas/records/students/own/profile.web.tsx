import { Suspense } from 'react'
import { Button } from '@mantine/core'
import { IconLock, IconPencil } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { FactsOf, Identity, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Failed } from '#kit/web/feedback/index.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { documentsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { IssuedPapers } from '#kit/web/papers/papers.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { OWN_SECTIONS } from '../sections/section.contract.ts'
import { STUDENT_SECTIONS, student } from '../student/student.contract.ts'
import { studentPapers } from '../transcript/transcript.contract.ts'
import { StudentStatusBadge } from '../words.web.tsx'
import { papersAsData } from '../outlets.contract.ts'
import { ownCalls } from './own.contract.ts'

const DocumentsOf = filled(documentsOfPerson)
const AsData = filled(papersAsData)

/** A student's own data, with what the student may change, the documents and the papers. */
export default function Profile() {
  const t = useT('students')
  const tp = useT('papers')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(ownCalls.profile)
  const row = data?.data as unknown as
    | (Record<string, unknown> & Named & { id: number; status: string; program: Named | null })
    | undefined
  return (
    <Page
      title={t('my_profile')}
      subtitle={t('my_profile_text')}
      action={
        <Button component={Link} to="/profile" variant="default" leftSection={<IconLock size={16} aria-hidden />}>
          {t('account')}
        </Button>
      }
    >
      {error && !row ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !row ? (
        <Bone height={320} />
      ) : (
        <>
          <Identity
            row={row}
            status={<StudentStatusBadge value={row.status} />}
            line={<bdi>{nameOf(row.program, lang)}</bdi>}
          />
          <ScreenTabs
            tabs={[
              { key: 'data', label: t('personal_data'), content: () => <Data row={row} /> },
              ...(may('show_studentDocument')
                ? [
                    {
                      key: 'documents',
                      label: t('documents'),
                      content: () => (
                        <Suspense fallback={<Bone height={320} />}>
                          <DocumentsOf />
                        </Suspense>
                      ),
                    },
                  ]
                : []),
              {
                key: 'papers',
                label: t('papers'),
                content: () => (
                  <Stack>
                    <Card title={tp('papers')}>
                      <IssuedPapers of={studentPapers} id={row.id} />
                    </Card>
                    <Suspense fallback={<Bone height={120} />}>
                      <AsData id={row.id} />
                    </Suspense>
                  </Stack>
                ),
              },
            ]}
          />
        </>
      )}
    </Page>
  )
}

function Data({ row }: { row: Record<string, unknown> & { id: number } }) {
  const t = useT('students')
  const say = useLabel()
  return (
    <Stack>
      {STUDENT_SECTIONS.map((section) => (
        <Card
          key={section.key}
          title={say(section.title)}
          aside={
            OWN_SECTIONS.includes(section.key) && (
              <Button
                component={Link}
                to={to('/students/edit/:id/:details', { id: row.id, details: section.key })}
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPencil size={14} aria-hidden />}
              >
                {t('edit')}
              </Button>
            )
          }
        >
          <FactsOf fields={student.fields} row={row} names={section.fields} />
        </Card>
      ))}
    </Stack>
  )
}
