/** What is asked again after anything about a training was changed. */
export const AFTER_TRAINING = ['/trainings', '/students-trainings', '/users/work'] as const
