import type { ChipColour } from '#kit/contract/index.ts'
import { Chip } from '#kit/web/fields/chip.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { tag } from './tag.contract.ts'

export default resourceWeb(tag, {
  list: {
    empty: {
      title: ['No tags yet', 'لا توجد وسوم بعد'],
      text: [
        'A tag marks students whom you want to find together again.',
        'الوسم علامة على طلاب تريد الرجوع إليهم معًا لاحقًا.',
      ],
    },
  },
  form: { initial: () => ({ colour: 'blue' }) },
  cells: {
    colour: ({ value, field, show }) => {
      const choice = field.choices?.find((one) => one.value === value)
      return choice && <Chip colour={value as ChipColour}>{show.label(choice.label)}</Chip>
    },
  },
})
