import { ActionIcon, Button, Modal } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { act, Code, Empty, Name, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { Coming, RecordPage } from '../head.web.tsx'
import { emtyazCourseCalls as calls, type EmtyazCourseDetail } from './course.contract.ts'
import { emtyazCourse, emtyazTrainingType } from './year.contract.ts'

type Type = EmtyazCourseDetail['types'][number]
interface Course {
  id: number
  code: string
  name: string
  name_local: string
  faculty: { name: string; name_local: string } | null
  bylaw: { name: string; name_local: string } | null
  is_elective: boolean
  weeks: number
  max_mark: string
  pass_mark: string
  abilities: string[]
  criteria: { id: number; name: string; name_local: string; max_mark: string }[]
}

/** A course of the internship year: how it is marked, and the trainings of which it is made. */
export default function EmtyazCourse() {
  const t = useT('internship')
  const say = useLabel()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  if (!data) return <Coming error={error} retry={refetch} />
  const of = data.data
  const course = of.course as unknown as Course
  const { fields } = emtyazCourse
  return (
    <RecordPage
      row={course}
      beside={<span>{course.is_elective ? say(fields.is_elective.label) : t('obligatory')}</span>}
      form={to('/emtyaz/course/:id', { id })}
      editing={emtyazCourse.editing}
    >
      <Card title={t('marking')}>
        <Facts
          items={[
            { label: say(fields.faculty_id.label), value: course.faculty ? nameOf(course.faculty) : '–' },
            { label: say(fields.bylaw_id.label), value: course.bylaw ? nameOf(course.bylaw) : '–' },
            {
              label: say(fields.pass_mark.label),
              value: t('of_max', {
                mark: formatNumber(Number(course.pass_mark)),
                max: formatNumber(Number(course.max_mark)),
              }),
            },
            {
              label: t('outcomes'),
              value: t('outcomes_of', { passed: formatNumber(of.passed), failed: formatNumber(of.failed) }),
            },
          ]}
        />
        <Table
          label={say(fields.criteria.label)}
          rows={course.criteria}
          rowKey={(one) => one.id}
          columns={[
            { key: 'name', label: say(fields.criteria.label), head: true, cell: (one) => <Name row={one} /> },
            {
              key: 'max',
              label: say(fields.max_mark.label),
              figure: true,
              cell: (one) => formatNumber(Number(one.max_mark)),
            },
          ]}
        />
      </Card>
      <Types id={id} types={of.types} may={course.abilities.includes('edit')} />
    </RecordPage>
  )
}

function Types({ id, types, may }: { id: number; types: readonly Type[]; may: boolean }) {
  const t = useT('internship')
  const say = useLabel()
  const me = useMe()
  const { send } = useChange('/emtyaz', '/emtyaz-training-types')
  const [open, setOpen] = useState<Type | 'new' | null>(null)
  const weeks = types.reduce((sum, one) => sum + one.weeks, 0)
  const buttons = (one: Type) => (
    <span style={{ display: 'inline-flex', gap: 4 }}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('edit_of', { name: nameOf(one) })}
        onClick={() => setOpen(one)}
      >
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
      {me.can('remove_emtyaz') && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('remove_of', { name: nameOf(one) })}
          onClick={() =>
            void act({
              ask: { title: t('remove_question', { name: nameOf(one) }), action: t('remove'), danger: true },
              go: () => send(calls.removeType, { params: { id: one.id }, body: {} }),
              done: () => t('removed'),
            })
          }
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </span>
  )
  return (
    <Card
      title={say(emtyazTrainingType.many)}
      text={types.length ? t('types_text', { weeks: formatNumber(weeks) }) : undefined}
      aside={
        may && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setOpen('new')}
          >
            {say(emtyazTrainingType.adding)}
          </Button>
        )
      }
    >
      {types.length === 0 ? (
        <Empty title={t('no_types')} text={t('no_types_text')} />
      ) : (
        <Table
          label={say(emtyazTrainingType.many)}
          rows={types}
          rowKey={(one) => one.id}
          columns={[
            { key: 'code', label: say(emtyazTrainingType.fields.code.label), cell: (one) => <Code>{one.code}</Code> },
            { key: 'name', label: say(emtyazTrainingType.one), head: true, cell: (one) => <Name row={one} /> },
            { key: 'weeks', label: t('weeks'), figure: true, cell: (one) => formatNumber(one.weeks) },
            {
              key: 'trainings',
              label: t('trainings'),
              figure: true,
              cell: (one) => (
                <Link to={`/emtyaz/training?filters=${encodeURIComponent(JSON.stringify({ type_id: [one.id] }))}`}>
                  {formatNumber(one.trainings)}
                </Link>
              ),
            },
            { key: 'rotations', label: t('rotations'), figure: true, cell: (one) => formatNumber(one.rotations) },
            ...(may ? [{ key: 'buttons', label: t('actions'), unseen: true, end: true, cell: buttons }] : []),
          ]}
        />
      )}
      {open && <TypeDialog course={id} of={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function TypeDialog({ course, of, onClose }: { course: number; of: Type | null; onClose: () => void }) {
  const t = useT('internship')
  const say = useLabel()
  const { send } = useChange('/emtyaz', '/emtyaz-training-types')
  const title = say(of ? emtyazTrainingType.editing : emtyazTrainingType.adding)
  const { code, name, name_local } = emtyazTrainingType.fields
  return (
    <Modal opened onClose={onClose} title={title}>
      <Form
        bar="dialog"
        submit={of ? t('keep') : title}
        onCancel={onClose}
        fields={{
          code,
          name,
          name_local,
          weeks: f.integer(emtyazTrainingType.fields.weeks.label, { required: true, min: 1, max: 52 }),
        }}
        values={of ? { ...of } : { weeks: 4 }}
        always
        onSave={(values) => {
          const body = {
            code: String(values.code),
            name: String(values.name),
            name_local: String(values.name_local),
            weeks: Number(values.weeks),
          }
          return of
            ? send(calls.changeType, { params: { id: of.id }, body: { ...body, version: of.version } })
            : send(calls.addType, { body: { ...body, course_id: course } })
        }}
        onSaved={() => {
          notify.done(t('kept'))
          onClose()
        }}
      />
    </Modal>
  )
}
