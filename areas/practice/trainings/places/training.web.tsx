import { IconCalendarEvent, IconUsers } from '@tabler/icons-react'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { training } from './training.contract.ts'

/** Trainings that are offered, each with the way to its interviews. */
export default resourceWeb(training, {
  list: {
    useParts: () => {
      const t = useT('trainings')
      const me = useMe()
      const navigate = useNavigate()
      return {
        actions: (row) =>
          row.removed || !me.can('edit_training')
            ? []
            : [
                {
                  key: 'overview',
                  label: t('weeks_and_students'),
                  icon: <IconUsers size={15} aria-hidden />,
                  onSelect: () => void navigate(to('/trainings/overview/:id', { id: row.id })),
                },
                {
                  key: 'interviews',
                  label: t('interviews'),
                  icon: <IconCalendarEvent size={15} aria-hidden />,
                  onSelect: () => void navigate(to('/trainings/interviews/:id', { id: row.id })),
                },
              ],
      }
    },
    empty: {
      title: ['No trainings', 'لا توجد تدريبات'],
      text: ['What organisations offer stands here.', 'تظهر هنا التدريبات التي تتيحها الجهات.'],
    },
  },
})
