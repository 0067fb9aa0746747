-- When who sits there last showed a second factor. Sessions that run were proved by whatever it was: they are asked once more.
alter table sessions add second_proved_at timestamptz;
