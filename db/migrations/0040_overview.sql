-- What happened in a time: these tables only grow, in the order of time, so a small index over ranges of pages does.
create index registration_history_at on registration_history using brin (at);
create index control_history_at on control_history using brin (at);
