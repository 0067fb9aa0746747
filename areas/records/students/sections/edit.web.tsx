import { Alert } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Failed, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { STUDENT_SECTIONS, isStudentChanged, student } from '../student/student.contract.ts'
import css from '../students.module.css'
import { sectionCalls } from './section.contract.ts'
import type { Details, SectionAnswer } from './section.contract.ts'

/** One section of a student's data, changed by itself. */
export default function EditSection() {
  const { id: given, details } = useParams()
  const id = Number(given)
  const t = useT('students')
  const say = useLabel()
  const me = useMe()
  const section = STUDENT_SECTIONS.find((studentSection) => studentSection.key === details)
  const { data, error, refetch } = useCall(
    sectionCalls.section,
    { params: { id, details: details as Details } },
    { enabled: section !== undefined, refetchOnWindowFocus: false, gcTime: 0 },
  )
  const own = me.user.student_id === id && !me.can('edit_students')
  const back = own ? to('/student-profile') : to('/students/:id', { id }, { tab: 'data' })
  return (
    <Page wide={false} title={section ? say(section.title) : t('edit')} subtitle={data && <Who data={data.data} />}>
      {!own && (
        <nav className={css.sectionNav} aria-label={t('sections')}>
          {STUDENT_SECTIONS.filter(isStudentChanged).map((studentSection) => (
            <Link
              key={studentSection.key}
              to={to('/students/edit/:id/:details', { id, details: studentSection.key })}
              aria-current={studentSection.key === details ? 'page' : undefined}
              replace
            >
              {say(studentSection.title)}
            </Link>
          ))}
        </nav>
      )}
      {!section ? (
        <Failed error={new Error(details)} />
      ) : error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <Editor key={`${id} ${details}`} data={data.data} back={back} />
      ) : (
        <Bone />
      )}
    </Page>
  )
}

function Who({ data }: { data: SectionAnswer }) {
  const lang = useLanguage()
  return (
    <Dotted>
      <bdi>{nameOf(data, lang)}</bdi>
      <Code>{data.code}</Code>
    </Dotted>
  )
}

function Editor({ data, back }: { data: SectionAnswer; back: string }) {
  const t = useT('students')
  const navigate = useNavigate()
  const { send } = useChange('/students')
  const section = STUDENT_SECTIONS.find((studentSection) => studentSection.key === data.details)!
  const names = section.fields.filter((name) => !student.fields[name].readOnly)
  const fields = Object.fromEntries(names.map((name) => [name, student.fields[name]]))
  return (
    <>
      {data.waits && (
        <Alert mb="md" icon={<IconMail size={18} />}>
          {t('address_waits', { email: data.waits })}
        </Alert>
      )}
      <Form
        fields={fields}
        values={{ ...data.values, version: data.version }}
        sections={[{ title: section.title, ...('text' in section && { text: section.text }), fields: names }]}
        // Only men have one.
        visible={{ military_status: (values) => Number(values.gender) !== 2 }}
        onCancel={() => void navigate(back)}
        onSave={async (_values, changed, version) =>
          send(sectionCalls.saveSection, {
            params: { id: data.id, details: data.details },
            body: { ...changed, version },
          })
        }
        onSaved={(saved) => {
          const waits = saved?.data.waits
          notify.done(waits && waits !== data.waits ? t('address_waits', { email: waits }) : t('section_saved'))
          void navigate(back)
        }}
      />
    </>
  )
}
