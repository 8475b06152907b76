-- Answers of earlier releases follow no other answer. They are kept for 30 days.
update outcomes set request = request || '{"previous_answer_id": null, "standalone_question": null}'
where object = 'answer' and not request ? 'previous_answer_id';
